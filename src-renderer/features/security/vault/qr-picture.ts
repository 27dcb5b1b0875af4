import decodeQr from 'qr/decode.js'

/** Photographs are larger than a QR code needs, and the search for it takes time by the pixel. */
const longestSide = 1600
const largestFile = 30_000_000
const searchMs = 2000

/**
 * The text of the QR code in a picture file.
 *
 * @throws Error with a sentence for the user: no picture, too large, or no QR code in it
 */
export async function readQrPicture(file: Blob): Promise<string> {
  if (file.size > largestFile) throw new Error('The file is too large.')
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error('Slipway can’t read this file as an image. Use PNG, JPEG, or WebP.')
  })
  try {
    const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height))
    const width = Math.max(1, Math.round(picture.width * scale))
    const height = Math.max(1, Math.round(picture.height * scale))
    const canvas = new OffscreenCanvas(width, height).getContext('2d')
    if (!canvas) throw new Error('Slipway can’t read this image.')
    // A picture with a clear ground is meant to be seen on white.
    canvas.fillStyle = 'white'
    canvas.fillRect(0, 0, width, height)
    canvas.drawImage(picture, 0, 0, width, height)
    return decodePixels(canvas.getImageData(0, 0, width, height))
  } finally {
    picture.close()
  }
}

function decodePixels({ width, height, data }: ImageData): string {
  try {
    return decodeQr({ width, height, data }, { timeLimit: searchMs })
  } catch (error) {
    throw new Error('No QR code found in this image. Crop it, or use the key.', {
      cause: error,
    })
  }
}
