/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.columnar.buffer;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.util.List;

/**
 * Which strings a column may hold: valid UTF-8, and names of directories where a group partitions by the column.
 *
 * @param decoder for UTF-8, used by one thread at a time
 */
record StringRule(String column, List<DirectoryNameRule> names, CharsetDecoder decoder)
        implements ByteDictionary.Check {
    @Override
    public void admit(byte[] utf8, int offset, int length) throws BadRecordException {
        String text = decode(utf8, offset, length);
        for (DirectoryNameRule name : names) {
            name.check(text);
        }
    }

    /** The string of UTF-8 bytes. */
    String decode(byte[] utf8, int offset, int length) throws BadRecordException {
        try {
            return decoder.decode(ByteBuffer.wrap(utf8, offset, length)).toString();
        } catch (CharacterCodingException e) {
            throw new BadRecordException("the value of column '" + column + "' is not valid UTF-8", e);
        }
    }
}
