import type { Figures } from '../../domain/figures/figures.ts'
import { pointOf, type Point } from '../../domain/figures/points.ts'

const minuteMs = 60_000
/** An hour. Figures may come more often while somebody looks; a chart has no more of them. */
const fineMs = 5_000
const mostFine = 720
/** A day of a point a minute. */
const mostCoarse = 24 * 60

/** Of an instance: the last hour in full, and the last day thinned to a point a minute. */
export class FiguresHistory {
  readonly #fine = new PointRing(mostFine)
  readonly #coarse = new PointRing(mostCoarse)

  add(figures: Figures): void {
    const point = pointOf(figures)
    if (isOld(this.#fine, point, fineMs)) this.#fine.add(point)
    if (isOld(this.#coarse, point, minuteMs)) this.#coarse.add(point)
  }

  /** The points since a time (ms since the epoch), the oldest first; in full as far as they reach back. */
  since(at: number): readonly Point[] {
    const fine = this.#fine.since(at)
    const first = fine[0]?.at ?? Number.POSITIVE_INFINITY
    return [...this.#coarse.since(at).filter((point) => point.at < first), ...fine]
  }
}

/** Whether the last point is old enough for the next one, by a second's half that they are early. A clock that was set back makes no gap. */
function isOld({ lastAt }: PointRing, { at }: Point, ms: number): boolean {
  return lastAt === null || Math.abs(at - lastAt) >= ms - 500
}

/** Numbers of a point that doesn't hold those of each GPU. */
const shared = 6

/**
 * The last points, in a few bytes each: 100 instances have 216,000 of them. What isn't known is no number there. A point
 * with another count of GPUs begins a new ring: it's another machine, or one that has lost a GPU. A tool that fails for a
 * while does not.
 */
class PointRing {
  readonly #most: number
  #gpus = 0
  #next = 0
  #length = 0
  #times = new Float64Array(0)
  #values = new Float32Array(0)

  constructor(most: number) {
    this.#most = most
  }

  get lastAt(): number | null {
    return this.#length === 0 ? null : (this.#times[(this.#next + this.#most - 1) % this.#most] ?? null)
  }

  add(point: Point): void {
    const isUnknown = point.gpus.length === 0
    if (this.#length === 0 || (!isUnknown && point.gpus.length !== this.#gpus)) this.#begin(point.gpus.length)
    const { cores, memory, gpu, gpuMemory, inBytesPerSecond, outBytesPerSecond } = point
    const row = [cores, memory, gpu, gpuMemory, inBytesPerSecond, outBytesPerSecond]
    const unknown = Array.from<null>({ length: 2 * this.#gpus }).fill(null)
    const ofGpus = isUnknown ? unknown : [...point.gpus, ...point.gpusMemory]
    const numbers = [...row, ...ofGpus].map((value) => value ?? Number.NaN)
    this.#times[this.#next] = point.at
    this.#values.set(numbers, this.#next * this.#width)
    this.#next = (this.#next + 1) % this.#most
    this.#length = Math.min(this.#most, this.#length + 1)
  }

  since(at: number): readonly Point[] {
    const points = Array.from({ length: this.#length }, (_, index) =>
      this.#read((this.#next + this.#most - this.#length + index) % this.#most),
    )
    return points.filter((point) => point.at >= at)
  }

  get #width(): number {
    return shared + 2 * this.#gpus
  }

  #begin(gpus: number): void {
    this.#gpus = gpus
    this.#next = 0
    this.#length = 0
    this.#times = new Float64Array(this.#most)
    this.#values = new Float32Array(this.#most * this.#width)
  }

  #read(row: number): Point {
    const start = row * this.#width
    const values = Array.from(this.#values.subarray(start, start + this.#width), (value) =>
      Number.isNaN(value) ? null : value,
    )
    const [cores, memory, gpu, gpuMemory, inBytesPerSecond, outBytesPerSecond] = values
    return {
      at: this.#times[row] ?? 0,
      cores: cores ?? null,
      memory: memory ?? null,
      gpu: gpu ?? null,
      gpuMemory: gpuMemory ?? null,
      gpus: values.slice(shared, shared + this.#gpus),
      gpusMemory: values.slice(shared + this.#gpus),
      inBytesPerSecond: inBytesPerSecond ?? null,
      outBytesPerSecond: outBytesPerSecond ?? null,
    }
  }
}
