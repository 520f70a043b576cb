export const Screen = () => <p>PLACEHOLDER</p>;
