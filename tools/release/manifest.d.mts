// Types of manifest.mjs.

export function readChecksums(text: string): ReadonlyMap<string, string>
export function releaseValues(release: {
  readonly version: string
  readonly repository: string
  readonly checksums: ReadonlyMap<string, string>
}): Readonly<Record<string, string>>
export function fillManifest(template: string, values: Readonly<Record<string, string>>): string
