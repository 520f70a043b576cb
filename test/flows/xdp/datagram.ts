/** A program on a client's machine: sends a query of OCTETS for a name to ADDRESS, and prints the octets of the reply. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { question } from "../../dns/message.ts";
import { labels } from "../../dns/names.ts";

const [, , address = "", name = "", octets = ""] = process.argv;
const query = question(labels(name), 1, { edns: { payload: 1232, dnssecOk: false } });
// an unknown option fills the query (RFC 6891 section 6.1.2)
const option = Buffer.alloc(Number(octets) - query.length);
option.writeUInt16BE(65_001, 0);
option.writeUInt16BE(option.length - 4, 2);
query.writeUInt16BE(option.length, query.length - 2);
const socket = createSocket(address.includes(":") ? "udp6" : "udp4");
socket.send(Buffer.concat([query, option]), 53, address);
const [reply] = await once(socket, "message", { signal: AbortSignal.timeout(3000) });
process.stdout.write(reply.toString("hex"));
socket.close();
