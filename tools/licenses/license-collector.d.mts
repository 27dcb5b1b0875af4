// Types of license-collector.mjs.
import type { Plugin } from 'vite'

export function createLicenseCollector(folders: {
  readonly top: string
  readonly output: string
}): () => Plugin
