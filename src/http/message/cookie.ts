/** The session cookie (RFC 6265). Scripts cannot read it. From other sites, browsers send it only with followed links. */

/** The name of the cookie; with https its prefix prevents other hosts and plain HTTP from setting it. */
export const cookieName = (publicUrl: string) => (isSecure(publicUrl) ? "__Host-fairlead" : "fairlead");

/** Composes `Set-Cookie`; without a value the browser deletes the cookie. */
export function composeCookie(publicUrl: string, value: string | undefined): string {
  const fields = [`${cookieName(publicUrl)}=${value ?? ""}`, "Path=/", "HttpOnly", "SameSite=Lax"];
  if (isSecure(publicUrl)) fields.push("Secure");
  if (value === undefined) fields.push("Max-Age=0");
  return fields.join("; ");
}

/** Returns the cookie's value; undefined when it is missing or has several different values. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  const values = new Set(
    pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1)),
  );
  const [value] = values;
  return values.size === 1 && value !== "" ? value : undefined;
}

export const isSecure = (publicUrl: string) => publicUrl.startsWith("https:");
