import { writeProgress } from './progress.mjs'

/** A reporter of Vitest's: it knows how many files there are before their tests are known. */
export default class VitestProgress {
  #done = 0
  #of = 0
  #failed = 0

  onTestRunStart(files) {
    this.#of = files.length
    this.#tell()
  }

  onTestModuleEnd(file) {
    this.#done += 1
    this.#failed += [...file.children.allTests('failed')].length
    this.#tell()
  }

  #tell() {
    writeProgress({ done: this.#done, of: this.#of, unit: 'files', failed: this.#failed })
  }
}
