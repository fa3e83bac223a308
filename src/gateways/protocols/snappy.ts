import { uncompressSync } from 'snappy';
import { ProtobufReader } from './protobuf';
import { MessageTooLarge, UnreadableMessage } from './unreadable';

/** A block is shorter than its content by at most this: three bytes copy 64 at best. */
const MAX_RATIO = 22;

/** Without frames. Checks the length before it reserves memory. Throws MessageTooLarge or UnreadableMessage. */
export function uncompressBlock(block: Uint8Array, maxBytes: number): Buffer {
  const length = new ProtobufReader(block).varint();
  if (length > maxBytes) {
    throw new MessageTooLarge(`the body has ${length} bytes when uncompressed; at most ${maxBytes} are read`);
  }
  if (length > block.length * MAX_RATIO) {
    throw new UnreadableMessage('the body is not a snappy block: it is too short for the length that it begins with');
  }
  try {
    const content = uncompressSync(block, { asBuffer: true });
    return typeof content === 'string' ? Buffer.from(content) : content;
  } catch {
    throw new UnreadableMessage('the body is not a snappy block');
  }
}
