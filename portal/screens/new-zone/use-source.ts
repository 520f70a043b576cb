/** The server that a new zone comes from, as it is typed; the same for a secondary zone and for one transfer. */
import { useState } from "react";
import type { ApiError } from "../../api/client.ts";
import { messageFor } from "../../kit/error-note.tsx";
import { useKept } from "../../kit/kept.ts";
import { type Source, secondaryOf } from "../zone/transfers/read.ts";

const blank: Source = {
  isOn: true,
  ip: "",
  port: "",
  others: "",
  isSigned: false,
  tsigName: "",
  tsigHash: "hmac-sha256",
  isTls: false,
  tlsName: "",
};

export function useSource() {
  const [source, setSource, forget] = useKept("newzone:source", blank);
  const [secret, setSecret] = useState("");
  return {
    isNamed: source.ip.trim() !== "",
    forget,
    /** The body of a write. */
    secondary: () => secondaryOf(source, secret, null),
    /** The properties of the fields, with the messages of a refusal. */
    fieldsWith: (error: ApiError | null) => ({
      ...{ values: source, secret, isSecretStored: false },
      messageFor: (field: string) => messageFor(error, field),
      onChange: (values: Partial<Source>) => setSource({ ...source, ...values }),
      onSecret: setSecret,
    }),
  };
}
