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
package org.hadoopmpsr.columnar.read;

import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.hadoopmpsr.core.nested.NestedWriter;

/** What Parquet's reader tells of groups. Each writes its part of a form, and calls what counts it before it begins. */
final class GroupConverters {
    private GroupConverters() {}

    private abstract static class Group extends GroupConverter {
        final NestedWriter form;
        private final List<Converter> fields = new ArrayList<>();

        Group(NestedWriter form) {
            this.form = form;
        }

        void add(Converter field) {
            fields.add(field);
        }

        @Override
        public final Converter getConverter(int field) {
            return fields.get(field);
        }
    }

    /** A group with a number of values within. */
    private abstract static class Counted extends Group {
        private final Runnable begin;
        private int place;
        int count;

        Counted(NestedWriter form, Runnable begin) {
            super(form);
            this.begin = begin;
        }

        abstract int beginForm();

        @Override
        public final void start() {
            begin.run();
            place = beginForm();
            count = 0;
        }

        @Override
        public final void end() {
            form.end(place, count);
        }
    }

    /** A struct. */
    static final class OfStruct extends Counted {
        OfStruct(NestedWriter form, Runnable begin) {
            super(form, begin);
        }

        @Override
        int beginForm() {
            return form.beginStruct();
        }

        /** To be called before a value of the field at a position. */
        Runnable fieldAt(int position) {
            return () -> {
                form.field(position);
                count++;
            };
        }
    }

    /** A list. */
    static final class OfList extends Counted {
        OfList(NestedWriter form, Runnable begin) {
            super(form, begin);
        }

        @Override
        int beginForm() {
            return form.beginList();
        }

        /** To be called before each element. */
        Runnable element() {
            return () -> count++;
        }

        OfList of(Converter repeated) {
            add(repeated);
            return this;
        }
    }

    /** What repeats around the elements of a list, which may be null. */
    static final class OfRepeated extends Group {
        private final Runnable element;
        private boolean isPresent;

        OfRepeated(NestedWriter form, Runnable element) {
            super(form);
            this.element = element;
        }

        /** To be called before a value. */
        Runnable value() {
            return () -> isPresent = true;
        }

        OfRepeated of(Converter value) {
            add(value);
            return this;
        }

        @Override
        public void start() {
            isPresent = false;
            element.run();
        }

        @Override
        public void end() {
            if (!isPresent) {
                form.putNull();
            }
        }
    }

    /** A map. */
    static final class OfMap extends Counted {
        OfMap(NestedWriter form, Runnable begin) {
            super(form, begin);
        }

        @Override
        int beginForm() {
            return form.beginMap();
        }

        /** What repeats within. */
        OfEntry entry() {
            return new OfEntry(form, () -> count++);
        }

        OfMap of(Converter repeated) {
            add(repeated);
            return this;
        }
    }

    /** A key and its value, which may be null. */
    static final class OfEntry extends Group {
        private final Runnable begin;
        private boolean hasKey;
        private boolean hasValue;

        OfEntry(NestedWriter form, Runnable begin) {
            super(form);
            this.begin = begin;
        }

        /** To be called before a key. */
        Runnable key() {
            return () -> hasKey = true;
        }

        /** To be called before a value. */
        Runnable value() {
            return () -> hasValue = true;
        }

        OfEntry of(Converter key, Converter value) {
            add(key);
            add(value);
            return this;
        }

        @Override
        public void start() {
            hasKey = false;
            hasValue = false;
            begin.run();
        }

        @Override
        public void end() {
            if (!hasKey) {
                throw new IllegalStateException("a map has an entry whose key is null");
            }
            if (!hasValue) {
                form.putNull();
            }
        }
    }
}
