// Types of bill-of-materials.mjs.
import type { ShippedPackage } from '../licenses/shipped-package.d.mts'

export function billOfMaterials(
  program: { readonly version: string; readonly license: string },
  lock: { readonly packages: Readonly<Record<string, object>> },
  shipped: readonly Omit<ShippedPackage, 'text'>[],
): unknown
