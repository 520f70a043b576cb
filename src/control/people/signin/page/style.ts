/** The style of a link's page, for light and dark modes and for small and large screens. */
export const style = `
  :root {
    color-scheme: light dark;
    --page: light-dark(#eef1f6, #12161d);
    --card: light-dark(#ffffff, #1b212b);
    --text: light-dark(#1c2330, #e6e9ef);
    --faint: light-dark(#566072, #a3adbd);
    --line: light-dark(#8a94a6, #6b7687);
    --accent: light-dark(#1f5fbf, #7fb0ff);
    --on-accent: light-dark(#ffffff, #0d1320);
    --good: light-dark(#17683a, #7ddba2);
    --bad: light-dark(#b3261e, #ffa199);
  }
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem 1rem;
    background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
  main { width: 100%; max-width: 26rem; padding: 2rem; border-radius: .75rem; background: var(--card);
    box-shadow: 0 1px 2px #0002, 0 8px 24px #0001; }
  .brand { margin: 0; color: var(--accent); font-weight: 600; letter-spacing: .02em; }
  h1 { margin: .25rem 0 1.25rem; font-size: 1.5rem; line-height: 1.25; }
  label { display: block; margin: 1rem 0 .3rem; font-weight: 600; }
  label.check { display: flex; align-items: center; gap: .5rem; font-weight: 400; }
  input:not([type=checkbox]) { width: 100%; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: .4rem;
    background: transparent; color: inherit; font: inherit; }
  input[type=checkbox] { width: 1.1rem; height: 1.1rem; margin: 0; accent-color: var(--accent); }
  small { display: block; margin-top: .3rem; color: var(--faint); }
  button { width: 100%; margin-top: 1.25rem; padding: .7rem; border: 0; border-radius: .4rem; background: var(--accent);
    color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
  button:disabled { opacity: .6; cursor: default; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  [role=status] { margin: 1rem 0 0; overflow-wrap: anywhere; }
  [role=status]:empty { display: none; }
  .good { color: var(--good); }
  .bad { color: var(--bad); }
`;
