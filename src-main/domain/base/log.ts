/** Where services say what is worth reading later. Implementations redact; callers still pass no secrets. */
export interface Log {
  readonly info: (message: string) => void
  readonly warn: (message: string) => void
  /** Writes the error with a new id and returns the id, by which the user and the log can be matched. */
  readonly error: (message: string, error: unknown) => string
}
