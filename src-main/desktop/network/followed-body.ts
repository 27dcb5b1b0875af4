/**
 * The same body, which tells once when nothing more of it comes. Nothing is read ahead of the reader.
 *
 * @param onEnd is told whether it was read to its end; otherwise it failed, or its reader has given it up
 */
export function followedBody(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onEnd: (isWhole: boolean) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (followed) => {
        try {
          const { done, value } = await reader.read()
          if (!done) return followed.enqueue(value)
          followed.close()
          onEnd(true)
        } catch (error) {
          followed.error(error)
          onEnd(false)
        }
      },
      cancel: async (reason) => {
        const given = reader.cancel(reason)
        onEnd(false)
        await given
      },
    },
    { highWaterMark: 0 },
  )
}
