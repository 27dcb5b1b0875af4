import { z } from 'zod'

/**
 * What each hash id of a template has become: it is another one after every edit (service API 2.2), and a rental may
 * still name the one from before.
 */
export const templateHashes = z.record(z.string(), z.string())
export type TemplateHashes = z.infer<typeof templateHashes>

/** Hash ids that are remembered; what is older is asked for by nobody. */
const mostHashes = 1000

/** The hash id that a template has now, as far as is known. */
export function latestHash(hashes: TemplateHashes, hash: string): string {
  return Object.hasOwn(hashes, hash) ? (hashes[hash] ?? hash) : hash
}

/** With one more edit: whatever led to the former hash id leads to the new one. An edit that is taken back leads back. */
export function withNewHash(hashes: TemplateHashes, from: string, to: string): TemplateHashes {
  const led = Object.entries(hashes).map(([hash, now]) => [hash, now === from ? to : now] as const)
  return Object.fromEntries(
    [...led, [from, to] as const].filter(([hash, now]) => hash !== to && hash !== now).slice(-mostHashes),
  )
}
