/** A client of the API with a key. */

export type Fields = Record<string, unknown>;

export interface Answer<T = Fields> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: T;
}

/** A caller of the API; paths begin after `/v1/`. */
export interface Client {
  readonly key: string;
  call<T = Fields>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>;
  /** Like `call`, and throws unless the status is 200. */
  must<T = Fields>(method: string, path: string, body?: unknown): Promise<T>;
}

export function clientOf(url: string, key: string): Client {
  const call = async <T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${url}/v1/${path}`, {
      method,
      headers: { "X-NSONE-Key": key, ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    const isJson = text !== "" && reply.headers.get("content-type") === "application/json";
    return { status: reply.status, headers: reply.headers, text, body: (isJson ? JSON.parse(text) : {}) as T };
  };
  return {
    key,
    call,
    async must<T>(method: string, path: string, body?: unknown) {
      const answer = await call<T>(method, path, body);
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return answer.body;
    },
  };
}
