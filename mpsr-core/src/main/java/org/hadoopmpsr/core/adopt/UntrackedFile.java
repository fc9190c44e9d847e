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
package org.hadoopmpsr.core.adopt;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A file that an ordinary writer has put into the default group, and that is closed.
 *
 * @param path absolute, without scheme
 * @param fileId its inode id
 * @param ageMs since it was last written to, by the clock of the NameNode; negative for a time to come
 * @param state another number once the file has changed
 * @param rights equal for files with equal owner, group, mode and access control list
 * @param unfit why it cannot be adopted as it is; null if nobody has found that
 */
public record UntrackedFile(
        String path,
        long fileId,
        long length,
        long modificationTime,
        long ageMs,
        long state,
        int rights,
        @Nullable String unfit)
        implements Serializable {}
