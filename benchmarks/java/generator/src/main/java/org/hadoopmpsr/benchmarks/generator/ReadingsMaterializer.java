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
package org.hadoopmpsr.benchmarks.generator;

import org.apache.parquet.column.Dictionary;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.io.api.RecordMaterializer;

/** Adds each record that passes the filter to {@link Readings}. */
final class ReadingsMaterializer extends RecordMaterializer<Boolean> {

    private final Readings target;
    private final NameConverter signal = new NameConverter();
    private final NameConverter device = new NameConverter();
    private final NameConverter system = new NameConverter();
    private final NumberConverter time = new NumberConverter();
    private final NumberConverter value = new NumberConverter();
    private final GroupConverter root = new Root();

    ReadingsMaterializer(Readings target) {
        this.target = target;
    }

    @Override
    public Boolean getCurrentRecord() {
        target.add(signal.id, device.id, system.id, time.number, value.present, value.real);
        return true;
    }

    @Override
    public GroupConverter getRootConverter() {
        return root;
    }

    private final class Root extends GroupConverter {

        private final Converter[] converters = {signal, device, system, time, value};

        @Override
        public Converter getConverter(int field) {
            return converters[field];
        }

        @Override
        public void start() {
            value.present = false;
        }

        @Override
        public void end() {}
    }

    private final class NameConverter extends PrimitiveConverter {

        private int[] idOfEntry = {};
        private int id;

        @Override
        public boolean hasDictionarySupport() {
            return true;
        }

        @Override
        public void setDictionary(Dictionary dictionary) {
            idOfEntry = new int[dictionary.getMaxId() + 1];
            for (int entry = 0; entry < idOfEntry.length; entry++) {
                idOfEntry[entry] = target.idOf(dictionary.decodeToBinary(entry).toStringUsingUTF8());
            }
        }

        @Override
        public void addValueFromDictionary(int entry) {
            id = idOfEntry[entry];
        }

        @Override
        public void addBinary(Binary name) {
            id = target.idOf(name.toStringUsingUTF8());
        }
    }

    private static final class NumberConverter extends PrimitiveConverter {

        private boolean present;
        private long number;
        private double real;

        @Override
        public void addLong(long read) {
            number = read;
        }

        @Override
        public void addDouble(double read) {
            present = true;
            real = read;
        }
    }
}
