import { user, type User } from '../../domain/accounts/account.ts'
import type { Http } from './http.ts'

/** The account that the key belongs to (service API 4.2); also the way to check a key. */
export function fetchUser(http: Http): Promise<User> {
  return http.send({
    method: 'GET',
    path: '/api/v0/users/current/',
    reply: user,
    repeatable: true,
  })
}
