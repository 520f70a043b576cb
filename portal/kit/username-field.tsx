/** The user name in a form that asks for a password alone: password managers look for it. */
export const UsernameField = ({ username }: { readonly username: string }) => (
  <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
);
