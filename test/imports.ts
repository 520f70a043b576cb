/**
 * Loaded before vitest in each process of the unit tests. For its watch mode, vitest registers a hook that sees every
 * import, which takes a quarter of the time of loading the modules. Here that hook sees only the imports of test files.
 */
import module, { type RegisterHooksOptions } from "node:module";

const register = module.registerHooks;

module.registerHooks = ({ resolve, ...rest }: RegisterHooksOptions) =>
  register({
    ...rest,
    ...(resolve && {
      resolve: (specifier, context, next) =>
        specifier.includes("%3Fvitest=") ? resolve(specifier, context, next) : next(specifier, context),
    }),
  });
