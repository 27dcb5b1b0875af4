import { z } from 'zod'

export const tcpPort = z.number().int().min(1).max(65_535)

/** A port that an instance listens on for itself, and that may be worth a forward. */
export const openPort = z.object({
  port: tcpPort,
  /** It was opened while a terminal was, and its user hasn't dismissed it. */
  isNew: z.boolean(),
  /** A Jupyter server's, as the instance's own files about those say. */
  isJupyter: z.boolean(),
})
export type OpenPort = z.infer<typeof openPort>

/** Where in a web server: path, query, and fragment, as `URL` writes them. */
export const webEntry = z
  .string()
  .max(2048)
  .regex(/^\/[!-[\]-~]*$/)
