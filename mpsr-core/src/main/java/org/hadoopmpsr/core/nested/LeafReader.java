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
package org.hadoopmpsr.core.nested;

import org.jspecify.annotations.Nullable;

/**
 * Finds the value at a path of fields within forms of structs. Not thread-safe.
 */
public final class LeafReader {
    private final int[] places;
    private final NestedReader form = new NestedReader();

    /** @param places of the fields, each among those of its struct; at least one */
    public LeafReader(int... places) {
        this.places = places.clone();
    }

    /**
     * Goes to the value.
     *
     * @param bytes have the form of a struct that is not null
     * @param offset where the form begins
     * @return what reads the value; null if it is null, or a struct that it lies in is
     */
    public @Nullable NestedReader find(byte[] bytes, int offset) {
        form.start(bytes, offset);
        for (int place : places) {
            if (!goTo(place)) {
                return null;
            }
        }
        return form.takeNull() ? null : form;
    }

    /** Goes to the field of a struct; false if the struct or the field is null. */
    private boolean goTo(int place) {
        if (form.takeNull()) {
            return false;
        }
        for (int left = form.readStruct(); left > 0; left--) {
            int field = form.readField();
            if (field == place) {
                return true;
            }
            form.skip();
        }
        return false;
    }
}
