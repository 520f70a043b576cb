/** Frame Streams, the container of dnstap: data frames between control frames, over files and sockets. */

export const Control = { ACCEPT: 1, START: 2, STOP: 3, READY: 4, FINISH: 5 } as const;

const contentType = Buffer.from("protobuf:dnstap.Dnstap");
const fieldContentType = 1;
const types: readonly number[] = [Control.START, Control.READY];

/** READY and START carry the content type. */
export function controlFrame(type: (typeof Control)[keyof typeof Control]): Buffer {
  const field = types.includes(type)
    ? Buffer.concat([word(fieldContentType), word(contentType.length), contentType])
    : Buffer.alloc(0);
  return Buffer.concat([word(0), word(4 + field.length), word(type), field]);
}

export const dataFrame = (data: Uint8Array): Buffer => Buffer.concat([word(data.length), data]);

/** Type of the control frame at the start of the received octets; undefined until the frame is complete. */
export function readControl(received: Buffer): number | undefined {
  if (received.length < 12) return undefined;
  const length = received.readUInt32BE(4);
  return received.length < 8 + length ? undefined : received.readUInt32BE(8);
}

function word(value: number): Buffer {
  const out = Buffer.alloc(4);
  out.writeUInt32BE(value);
  return out;
}
