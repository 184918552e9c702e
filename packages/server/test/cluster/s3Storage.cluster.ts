import { openOwnS3 } from '../harnessS3.ts'
import { testStorage } from '../storageCases.ts'
import { useS3 } from './s3.ts'

useS3()
testStorage('an S3 bucket', () => openOwnS3())
