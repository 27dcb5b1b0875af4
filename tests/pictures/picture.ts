/**
 * The pictures of the documentation, made by `npm run pictures` (all of them) or `npm run pictures -- first-run`
 * (one walk). Each document has a walk: a list of pictures `{ name, steps }` that are taken one after the other in one
 * world, so that each begins where the one before ended. A new walk is a file beside this one and a line in
 * `main.ts`; its pictures land in `docs/pictures/<name>.png`.
 */
import type { Locator, Page } from '@playwright/test'
import type { World, WorldOptions } from '../e2e/support/world.ts'

export interface Scene {
  readonly page: Page
  readonly world: World
}

export interface Picture {
  /** Of the file, without its ending. No two walks have the same. */
  readonly name: string
  /** What a person does, in the words of the window, until the window shows what is to be seen. */
  readonly steps: (scene: Scene) => Promise<void>
  /** What is taken; without it, the whole window. */
  readonly of?: (page: Page) => Locator
}

export interface Walk {
  readonly name: string
  readonly world?: WorldOptions
  /** Dark without it. */
  readonly theme?: 'dark' | 'light'
  readonly pictures: readonly Picture[]
}
