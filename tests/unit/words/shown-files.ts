import { sourceFiles } from '../../support/source-files.ts'
import { pages } from '../docs/pages.ts'
import { notOurs } from './forbidden-words.ts'

const userPages = /^(?:README|SECURITY|CONTRIBUTING|CHANGELOG)\.md$|^docs\//

/** Every file with texts of ours that a user may meet, as a path from the project's top. */
export const shownFiles: readonly string[] = [
  ...sourceFiles(),
  ...pages.filter((page) => userPages.test(page)),
].filter((file) => !notOurs.some((other) => other.file === file))
