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

/**
 * There is no memory for a record. What is buffered may be the cause, and not the record: the record can be added again when
 * the buffer is empty and its memory is given back.
 */
public final class BufferFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param problem what there is no memory for */
    public BufferFullException(String problem, Throwable cause) {
        super(problem + "; give the worker a larger heap", cause);
    }
}
