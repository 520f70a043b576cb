/** The part of dns-packet that our tests use; the package has no types. */
declare module "dns-packet" {
  export interface DecodedAnswer {
    readonly name: string;
    readonly type: string;
    readonly ttl: number;
    readonly data: unknown;
  }

  export interface Decoded {
    readonly rcode: string;
    readonly answers: readonly DecodedAnswer[];
  }

  export function decode(octets: Buffer): Decoded;
  export function encode(message: {
    readonly type: "query";
    readonly id: number;
    readonly questions: readonly { readonly name: string; readonly type: string }[];
  }): Buffer;
}
