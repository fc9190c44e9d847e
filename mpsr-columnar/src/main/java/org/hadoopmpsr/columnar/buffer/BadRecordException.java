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

import org.hadoopmpsr.core.text.PrintableText;
import org.jspecify.annotations.Nullable;

/** A record that cannot be stored; the message says why in printable form. */
public final class BadRecordException extends Exception {
    private static final long serialVersionUID = 1L;

    public BadRecordException(String reason) {
        super(PrintableText.of(reason));
    }

    public BadRecordException(String reason, @Nullable Throwable cause) {
        super(PrintableText.of(reason), cause);
    }
}
