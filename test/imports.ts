/**
 * Loaded before vitest in each process of the unit tests. Vitest asks for a look at every import, to report it to its main
 * process for watching, which takes a quarter of the time of loading the modules. It is shown those of test files only.
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
