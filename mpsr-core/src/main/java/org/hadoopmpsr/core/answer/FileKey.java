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
package org.hadoopmpsr.core.answer;

/**
 * Which file an answer is of, in which state. A file that was written anew has another inode id, and one that was changed in
 * place has another length or another time. HDFS never gives an inode id twice.
 *
 * @param fileId the inode id in HDFS
 * @param length in bytes
 * @param modificationTime in milliseconds since the epoch
 */
public record FileKey(long fileId, long length, long modificationTime) {

    /** Whether it names a file: planners that do not know the inode id say 0. */
    public boolean isKnown() {
        return fileId > 0;
    }
}
