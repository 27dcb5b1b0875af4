// Types of hot-stores.mjs, which is plain JavaScript like all tools.
import type { Plugin } from 'vite'

export function hotStores(): Plugin
