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
package org.hadoopmpsr.columnar.merge;

import java.io.IOException;

/** A file that is to be merged is not sorted as the group's files are. */
final class UnsortedFileException extends IOException {
    private static final long serialVersionUID = 1L;

    UnsortedFileException(String path) {
        super(path
                + " is not sorted by the columns that its replica group says; it is damaged or was not written by MPSR:"
                + " write its records anew");
    }
}
