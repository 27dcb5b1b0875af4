/**
 * How much is done by the tests that could go on for ever: little in `npm test`, what was promised in
 * `npm run harden` (tests/README.md, "Hardening"), which also says the seed.
 */
export function hardening<T>({ usual, full }: { readonly usual: T; readonly full: T }): T {
  return process.env['SLIPWAY_HARDEN'] === 'full' ? full : usual
}

/** Of everything that is chosen by chance there; printed with what fails. */
export const hardeningSeed = Number(process.env['SLIPWAY_HARDEN_SEED'] ?? 1)
