import type { NewCloudConnection } from '#domain/cloud/cloud-connection.ts'
import type { RentRequest } from '#domain/renting/rent-request.ts'

/** What a window asks for when it rents, with nothing special about it. */
export const rentRequestFor = (offerId: number): RentRequest => ({
  offerId,
  keepInstanceKey: false,
  options: {
    image: 'ubuntu',
    templateHashId: null,
    diskGb: 10,
    env: {},
    onstart: null,
    volume: null,
    extraFilters: {},
    addSshKey: false,
  },
})

/** A cloud connection of this name. */
export const bucket = (name: string, secret = 'secret'): NewCloudConnection => ({
  provider: 's3',
  user_given_name: name,
  access_key: 'access',
  secret_access_key: secret,
})
