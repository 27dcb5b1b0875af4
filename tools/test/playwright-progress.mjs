import { writeProgress } from './progress.mjs'

/** A reporter of Playwright's. */
export default class PlaywrightProgress {
  #done = 0
  #of = 0
  #failed = 0

  onBegin(_config, suite) {
    this.#of = suite.allTests().length
    this.#tell()
  }

  onTestEnd(test, result) {
    this.#done += 1
    if (result.status !== 'skipped' && result.status !== test.expectedStatus) this.#failed += 1
    this.#tell()
  }

  #tell() {
    writeProgress({ done: this.#done, of: this.#of, unit: 'tests', failed: this.#failed })
  }
}
