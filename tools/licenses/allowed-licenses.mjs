/**
 * Licenses of what may ship, by their SPDX identifiers; the reasons are in docs/dependencies.md, "Licenses". All of them
 * let an MIT program contain and sell the code as long as their texts come with it.
 */
export const allowedLicenses = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Unlicense',
  'OFL-1.1',
]

/**
 * Whether a package under this license may ship: one of the alternatives ("OR") must be allowed, with all of its parts
 * ("AND"). Nested alternatives and exceptions ("WITH") are not read, so they're refused.
 *
 * @param {string} expression an SPDX license expression, such as `(MIT OR Apache-2.0)`
 * @returns {boolean}
 */
export function isAllowed(expression) {
  const alternatives = expression.replace(/^\(([^()]*)\)$/, '$1').split(' OR ')
  return alternatives.some((one) => one.split(' AND ').every((license) => allowedLicenses.includes(license)))
}
