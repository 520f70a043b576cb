/** The server that a new zone comes from, as it is typed; the same for a secondary zone and for one transfer. */
import { useKept } from "../../kit/kept.ts";
import type { Source } from "../zone/transfers/read.ts";

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

export const useSource = () => useKept("newzone:source", blank);
