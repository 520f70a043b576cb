/** A source: a push to paste, and its feeds with their values. */
import { Button, Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { PageLink, useOpen } from "../../app/link.tsx";
import { useAddress } from "../../kit/address.ts";
import { useRead, useWrite } from "../../kit/api.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { DangerButton } from "../../kit/danger-button.tsx";
import { Loading } from "../../kit/loading.tsx";
import { Page } from "../../kit/page.tsx";
import { plainOf, visibleOf } from "../../kit/plain.ts";
import { State } from "../../kit/state.tsx";
import { feedsTexts as texts } from "../../text/feeds.ts";
import { FeedForm } from "./feed-form.tsx";
import { FeedTable } from "./feed-table.tsx";
import { Pushes } from "./pushes.tsx";
import { SourceForm } from "./source-form.tsx";
import { SourcePush } from "./source-push.tsx";

/** Milliseconds between two looks at the values. */
const lookEvery = 5000;

export function Screen() {
  const { source: sourceid = "" } = useParams({ strict: false }) as { readonly source?: string };
  const open = useOpen();
  const [form, setForm] = useAddress("form");
  const [isDeleting, setDeleting] = useState(false);
  const { data, error, refetch } = useRead("GET /v1/data/sources/{sourceid}", {
    path: { sourceid },
    refetchInterval: lookEvery,
  });
  const type = useRead("GET /v1/data/sourcetypes").data?.data[data?.data.sourcetype ?? ""];
  const pushes = useRead("GET /v1/data/sources/{sourceid}/pushes", { path: { sourceid }, refetchInterval: lookEvery })
    .data?.data;
  const remove = useWrite("DELETE /v1/data/sources/{sourceid}", ["GET /v1/data/sources$"]);
  const source = data?.data.id === sourceid ? data.data : undefined;
  const refusal = { error, onRetry: () => void refetch() };
  if (!source) {
    return (
      <Page title={texts.title} {...refusal}>
        {!error && <Loading />}
      </Page>
    );
  }
  const { name, sourcetype, status, feeds } = source;
  const feed = feeds.find(({ id }) => id === form);
  const close = () => setForm("");
  return (
    <Page
      title={visibleOf(name)}
      heading={<bdi>{visibleOf(name)}</bdi>}
      about={
        <>
          <PageLink to="feeds" underline="always">
            {texts.title}
          </PageLink>{" "}
          · {plainOf(type?.shortdesc ?? "")} <span className="name">{sourcetype}</span>{" "}
          {status !== "ok" && <State is="waiting" text={texts.statuses[status] ?? status} />}
        </>
      }
      acts={
        <>
          <Button variant="default" onClick={() => setForm("source")}>
            {texts.changeSource}
          </Button>
          <DangerButton onClick={() => setDeleting(true)}>{texts.deleteSource}</DangerButton>
          <Button onClick={() => setForm("feed")}>{texts.newFeed}</Button>
        </>
      }
      {...refusal}
    >
      <SourcePush source={source} type={type} />
      {feeds.length === 0 && (
        <Text size="sm" mb="sm">
          {texts.noFeeds}
        </Text>
      )}
      <FeedTable source={source} type={type} onChange={(id) => setForm(id)} />
      {pushes && <Pushes pushes={pushes} />}
      {form === "source" && <SourceForm source={source} onSaved={close} onClose={close} />}
      {form === "feed" && <FeedForm source={source} type={type} onClose={close} />}
      {feed && <FeedForm key={feed.id} source={source} type={type} feed={feed} onClose={close} />}
      {isDeleting && (
        <Confirm
          title={texts.deleteSource}
          text={texts.deleteSourceText(visibleOf(name), feeds.length)}
          act={texts.deleteSource}
          name={name}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate({ path: { sourceid } }, { onSuccess: () => open({ to: "feeds" }) })}
          onClose={() => setDeleting(false)}
        />
      )}
    </Page>
  );
}
