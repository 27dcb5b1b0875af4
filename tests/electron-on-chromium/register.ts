import { registerHooks } from 'node:module'

const double = new URL('./electron.ts', import.meta.url).href

// `node --import register.ts out/main/index.js`: whoever imports or requires electron gets the double, and
// the real package, which would try to download its binary, is never loaded.
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === 'electron' || specifier === 'electron/main'
      ? { url: double, format: 'module-typescript', shortCircuit: true }
      : nextResolve(specifier, context),
})
