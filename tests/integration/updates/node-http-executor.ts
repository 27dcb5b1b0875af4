import { NodeHttpExecutor } from 'builder-util'
import { configureRequestOptions, configureRequestUrl, type DownloadOptions } from 'builder-util-runtime'
import type { RequestOptions } from 'node:http'

/**
 * electron-updater's own network without Electron's: what it does with the replies, the checksum before all, is in
 * the class that both extend.
 */
export class NodeUpdateExecutor extends NodeHttpExecutor {
  async download(url: URL, destination: string, options: DownloadOptions): Promise<string> {
    return options.cancellationToken.createPromise<string>((resolve, reject, onCancel) => {
      const request: RequestOptions = { headers: options.headers ?? undefined }
      configureRequestUrl(url, request)
      configureRequestOptions(request)
      this.doDownload(
        request,
        {
          destination,
          options,
          onCancel,
          callback: (error) => (error ? reject(error) : resolve(destination)),
          responseHandler: null,
        },
        0,
      )
    })
  }
}
