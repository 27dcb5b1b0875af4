import { join } from 'node:path'

/** The program that runs here: Slipway, unless `electron-on-chromium.mjs` is given the folder of another. */
export const program = { folder: join(import.meta.dirname, '..', '..') }
