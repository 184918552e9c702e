export interface Person {
  firstName: string
  lastName: string
  email: string
  username: string
  password: string
}

export const fullName = ({ firstName, lastName }: Pick<Person, 'firstName' | 'lastName'>) => `${firstName} ${lastName}`

const person = (firstName: string, lastName: string): Person => {
  const username = `${firstName}.${lastName}`.toLowerCase()
  return { firstName, lastName, username, email: `${username}@example.com`, password: `${lastName} harbour lantern 47` }
}

export const amara = person('Amara', 'Osei')
export const helen = person('Helen', 'Whitford')
