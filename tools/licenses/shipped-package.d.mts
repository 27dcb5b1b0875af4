// Types of shipped-package.mjs.

/** As out/licenses/packages.json has it: `bundledPackage` of src-main/domain/diagnostics/licenses.ts. */
export interface ShippedPackage {
  readonly name: string
  readonly version: string
  /** An SPDX license expression. */
  readonly license: string
  readonly text: string
}

export function packageFolderOf(file: string): string
export function readShippedPackage(folder: string, texts: string): ShippedPackage
