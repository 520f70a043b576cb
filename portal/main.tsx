/** The start of the portal in a browser. */
import "./app/first-token.ts";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@mantine/spotlight/styles.css";
import "mantine-datatable/styles.css";
import "./app/portal.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./app/queries.ts";
import { router } from "./app/router.tsx";
import { SessionProvider } from "./app/session.tsx";
import { nonce, theme } from "./app/theme.ts";
import "./app/trusted.ts";

// its address is relative to the first page: browsers read it again when the address changes
const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
icon?.setAttribute("href", icon.href);

createRoot(document.getElementById("portal")!).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queries}>
        <Notifications position="bottom-right" />
        <SessionProvider>
          <RouterProvider router={router} />
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
