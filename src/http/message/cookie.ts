/** The cookie of a session (RFC 6265): no script reads it, and no other site has it sent but by a link. */

/** With https its name keeps other hosts, and plain HTTP, from setting one. */
export const cookieName = (publicUrl: string) => (isSecure(publicUrl) ? "__Host-fairlead" : "fairlead");

/** For `Set-Cookie`; without a value the browser forgets the one that it has. */
export function composeCookie(publicUrl: string, value: string | undefined): string {
  const fields = [`${cookieName(publicUrl)}=${value ?? ""}`, "Path=/", "HttpOnly", "SameSite=Lax"];
  if (isSecure(publicUrl)) fields.push("Secure");
  if (value === undefined) fields.push("Max-Age=0");
  return fields.join("; ");
}

/** undefined when there is none of this name, or several that differ. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  const values = new Set(
    pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1)),
  );
  const [value] = values;
  return values.size === 1 && value !== "" ? value : undefined;
}

export const isSecure = (publicUrl: string) => publicUrl.startsWith("https:");
