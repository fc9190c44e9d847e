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
package org.hadoopmpsr.downgrade;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.RecordComponentVisitor;
import org.objectweb.asm.Type;
import org.objectweb.asm.TypeReference;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * Makes a class for Java 11 of one for Java 17. Records become final classes with the same constructors, methods, text, hash and
 * equality; those of beans get getters. The rules of sealed classes are left to the compiler.
 */
final class OlderClass extends ClassVisitor {
    static final int VERSION = Opcodes.V11;
    private static final String RECORD = "java/lang/Record";
    private static final String EQUALS = "(Ljava/lang/Object;)Z";
    private static final String NULLABLE = "Lorg/jspecify/annotations/Nullable;";

    /** In the names of records that an interface of beans declares. */
    private static final String BEANS = "MXBean$";

    private static final String SERIAL_VERSION = "serialVersionUID";

    private final FunctionHandles functions;
    private String name = "";
    private List<String> interfaces = List.of();
    private boolean hasSerialVersion;
    private final List<Component> components = new ArrayList<>();
    private @Nullable RecordMethods record;

    private OlderClass(ClassVisitor next, FunctionHandles functions) {
        super(Opcodes.ASM9, next);
        this.functions = functions;
    }

    /** The class file for Java 11; the same one where it already runs there. */
    static byte[] of(byte[] file) {
        ClassReader reader = new ClassReader(file);
        if (majorVersion(file) <= VERSION) {
            return file;
        }
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        reader.accept(new OlderClass(new ClassRemapper(writer, new WithoutRecord()), new FunctionHandles(reader)), 0);
        return writer.toByteArray();
    }

    static int majorVersion(byte[] file) {
        return (file[6] & 0xff) << 8 | file[7] & 0xff;
    }

    @Override
    public void visit(
            int version,
            int access,
            String name,
            @Nullable String signature,
            @Nullable String parent,
            String[] interfaces) {
        this.name = name;
        record = RECORD.equals(parent) ? new RecordMethods(name) : null;
        super.visit(VERSION, access & ~Opcodes.ACC_RECORD, name, signature, parent, interfaces);
        this.interfaces = List.of(interfaces);
    }

    @Override
    public void visitPermittedSubclass(String subclass) {
        // Java 11 knows no sealed classes
    }

    @Override
    public @Nullable RecordComponentVisitor visitRecordComponent(
            String component, String descriptor, @Nullable String signature) {
        if (name.contains(BEANS)) {
            if (component.startsWith("is") || component.length() > 1 && Character.isUpperCase(component.charAt(1))) {
                throw new IllegalArgumentException(
                        name + " has the component " + component
                                + ", which beans show by another name on Java 11: choose a name that does not begin with is and has a small second letter");
            }
            components.add(new Component(component, descriptor, signature));
        }
        return null;
    }

    @Override
    public FieldVisitor visitField(
            int access, String field, String descriptor, @Nullable String signature, @Nullable Object value) {
        hasSerialVersion |= field.equals(SERIAL_VERSION);
        return super.visitField(access, field, descriptor, signature, value);
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String method, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        MethodVisitor next = super.visitMethod(access, method, descriptor, signature, exceptions);
        if (record != null
                && method.equals("equals")
                && descriptor.equals(EQUALS)
                && (access & Opcodes.ACC_FINAL) != 0) {
            // NullAway knows that the method that the compiler makes for a record takes null
            int parameter = TypeReference.newFormalParameterReference(0).getValue();
            next.visitTypeAnnotation(parameter, null, NULLABLE, true).visitEnd();
        }
        return new OlderCode(next, name + "." + method, record, functions);
    }

    @Override
    public void visitEnd() {
        if (record != null) {
            record.write(cv);
            declareSerialVersion();
            components.forEach(this::writeGetter);
        }
        functions.write(cv);
        super.visitEnd();
    }

    /** A record has the serial version 0 where it names no other; a class has a hash of what it declares. */
    private void declareSerialVersion() {
        if (interfaces.contains("java/io/Serializable") && !hasSerialVersion) {
            int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL | Opcodes.ACC_SYNTHETIC;
            super.visitField(access, SERIAL_VERSION, "J", null, 0L).visitEnd();
        }
    }

    /** Beans show the components of records since Java 17, and what getters of other classes return. */
    private void writeGetter(Component component) {
        String accessor = "()" + component.descriptor();
        String getter = "get" + component.name().substring(0, 1).toUpperCase(Locale.ROOT)
                + component.name().substring(1);
        String signature = component.signature() == null ? null : "()" + component.signature();
        MethodVisitor code = super.visitMethod(Opcodes.ACC_PUBLIC, getter, accessor, signature, null);
        code.visitCode();
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, name, component.name(), accessor, false);
        code.visitInsn(Type.getType(component.descriptor()).getOpcode(Opcodes.IRETURN));
        code.visitMaxs(0, 0); // They are computed
        code.visitEnd();
    }

    private record Component(
            String name, String descriptor, @Nullable String signature) {}

    /** Takes Object for the ancestor of all records, also in generic types and in what the verifier reads. */
    private static final class WithoutRecord extends Remapper {
        @Override
        public String map(String name) {
            return name.equals(RECORD) ? "java/lang/Object" : name;
        }
    }
}
