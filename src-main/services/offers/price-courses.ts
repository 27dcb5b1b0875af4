import type { Log } from '../../domain/base/log.ts'
import type { PriceCourse } from './price-course.ts'

interface PriceCoursesOptions {
  readonly open: (courseId: string) => PriceCourse
  /** Deletes the files of all others. @throws ProblemError storage-failed */
  readonly deleteOthers: (courseIds: readonly string[]) => Promise<void>
  readonly log: Log
}

/** The courses of all watched searches: each is a file of its own, by an id. */
export class PriceCourses {
  readonly #options: PriceCoursesOptions
  readonly #open = new Map<string, PriceCourse>()

  constructor(options: PriceCoursesOptions) {
    this.#options = options
  }

  of(courseId: string): PriceCourse {
    const course = this.#open.get(courseId) ?? this.#options.open(courseId)
    this.#open.set(courseId, course)
    return course
  }

  /** Deletes all others; what can't be deleted stays until the next time. */
  async keep(courseIds: readonly string[]): Promise<void> {
    const { deleteOthers, log } = this.#options
    for (const id of this.#open.keys()) if (!courseIds.includes(id)) this.#open.delete(id)
    try {
      await deleteOthers(courseIds)
    } catch (error) {
      log.error('Prices of searches that aren’t watched anymore could not be deleted', error)
    }
  }
}
