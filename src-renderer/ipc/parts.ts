/** The window's half of a list that crosses in parts: `await fromParts(await client.offers.search(query))`. */
export { fromParts } from '#contract/parts.ts'
