/**
 * Runs inside a network namespace: connects a loopback port there with a Unix socket outside. Arguments: the port, the
 * socket.
 */
import { createConnection, createServer } from "node:net";

const [port, path = ""] = process.argv.slice(2);
const server = createServer((near) => {
  const far = createConnection(path);
  for (const socket of [near, far]) {
    socket
      .on("error", () => {})
      .on("close", () => {
        near.destroy();
        far.destroy();
      });
  }
  near.pipe(far).pipe(near);
});
server.listen(Number(port), "127.0.0.1", () => process.stdout.write("ready\n"));
