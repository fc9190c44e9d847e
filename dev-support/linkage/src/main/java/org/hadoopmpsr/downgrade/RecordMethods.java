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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** The text, the hash and the equality of a record, which the JVM makes since Java 16, as code of its class. */
final class RecordMethods {
    private static final String OBJECT = "Ljava/lang/Object;";
    private static final String TEXT = "java/lang/StringBuilder";

    private final String owner;
    /** The components by the methods that are asked for; all have the same. */
    private final Map<String, List<Handle>> wanted = new TreeMap<>();

    RecordMethods(String owner) {
        this.owner = owner;
    }

    /** Calls what takes the place of the JVM's method. */
    void call(MethodVisitor code, String name, String descriptor, Object... bootstrap) {
        List<Handle> fields = new ArrayList<>();
        for (Object argument : Arrays.asList(bootstrap).subList(2, bootstrap.length)) {
            fields.add((Handle) argument);
        }
        wanted.put(name, fields);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, method(name), descriptor, false);
    }

    /** Adds the methods that are called. */
    void write(ClassVisitor out) {
        wanted.forEach((name, fields) -> {
            String descriptor = switch (name) {
                case "toString" -> "(L" + owner + ";)Ljava/lang/String;";
                case "hashCode" -> "(L" + owner + ";)I";
                case "equals" -> "(L" + owner + ";" + OBJECT + ")Z";
                default -> throw new IllegalArgumentException("a record has no method " + name);
            };
            int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;
            MethodVisitor code = out.visitMethod(access, method(name), descriptor, null, null);
            code.visitCode();
            switch (name) {
                case "toString" -> text(code, fields);
                case "hashCode" -> hash(code, fields);
                default -> equality(code, fields);
            }
            code.visitMaxs(0, 0); // They are computed
            code.visitEnd();
        });
    }

    private static String method(String name) {
        return "record$" + name;
    }

    private void text(MethodVisitor code, List<Handle> fields) {
        code.visitTypeInsn(Opcodes.NEW, TEXT);
        code.visitInsn(Opcodes.DUP);
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, TEXT, "<init>", "()V", false);
        code.visitLdcInsn(Type.getObjectType(owner));
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/Class", "getSimpleName", "()Ljava/lang/String;", false);
        append(code, OBJECT);
        String before = "[";
        for (Handle field : fields) {
            code.visitLdcInsn(before + field.getName() + "=");
            append(code, OBJECT);
            get(code, 0, field);
            append(code, shown(Type.getType(field.getDesc())));
            before = ", ";
        }
        code.visitLdcInsn(fields.isEmpty() ? "[]" : "]");
        append(code, OBJECT);
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, TEXT, "toString", "()Ljava/lang/String;", false);
        code.visitInsn(Opcodes.ARETURN);
    }

    private static void append(MethodVisitor code, String type) {
        code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, TEXT, "append", "(" + type + ")L" + TEXT + ";", false);
    }

    private static String shown(Type type) {
        return switch (type.getSort()) {
            case Type.BYTE, Type.SHORT -> "I";
            case Type.OBJECT, Type.ARRAY -> OBJECT;
            default -> type.getDescriptor();
        };
    }

    private void hash(MethodVisitor code, List<Handle> fields) {
        code.visitInsn(Opcodes.ICONST_0);
        for (Handle field : fields) {
            code.visitIntInsn(Opcodes.BIPUSH, 31);
            code.visitInsn(Opcodes.IMUL);
            get(code, 0, field);
            Type type = Type.getType(field.getDesc());
            if (isObject(type)) {
                code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/util/Objects", "hashCode", "(" + OBJECT + ")I", false);
            } else {
                code.visitMethodInsn(
                        Opcodes.INVOKESTATIC, box(type), "hashCode", "(" + type.getDescriptor() + ")I", false);
            }
            code.visitInsn(Opcodes.IADD);
        }
        code.visitInsn(Opcodes.IRETURN);
    }

    private void equality(MethodVisitor code, List<Handle> fields) {
        Label differs = new Label();
        code.visitVarInsn(Opcodes.ALOAD, 1);
        code.visitTypeInsn(Opcodes.INSTANCEOF, owner);
        code.visitJumpInsn(Opcodes.IFEQ, differs);
        for (Handle field : fields) {
            get(code, 0, field);
            get(code, 1, field);
            Type type = Type.getType(field.getDesc());
            if (isObject(type)) {
                code.visitMethodInsn(
                        Opcodes.INVOKESTATIC, "java/util/Objects", "equals", "(" + OBJECT + OBJECT + ")Z", false);
                code.visitJumpInsn(Opcodes.IFEQ, differs);
            } else {
                String values = "(" + type.getDescriptor() + type.getDescriptor() + ")I";
                code.visitMethodInsn(Opcodes.INVOKESTATIC, box(type), "compare", values, false);
                code.visitJumpInsn(Opcodes.IFNE, differs);
            }
        }
        code.visitInsn(Opcodes.ICONST_1);
        code.visitInsn(Opcodes.IRETURN);
        code.visitLabel(differs);
        code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
        code.visitInsn(Opcodes.ICONST_0);
        code.visitInsn(Opcodes.IRETURN);
    }

    private void get(MethodVisitor code, int variable, Handle field) {
        code.visitVarInsn(Opcodes.ALOAD, variable);
        if (variable == 1) {
            code.visitTypeInsn(Opcodes.CHECKCAST, owner);
        }
        code.visitFieldInsn(Opcodes.GETFIELD, owner, field.getName(), field.getDesc());
    }

    private static boolean isObject(Type type) {
        return type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY;
    }

    private static String box(Type primitive) {
        return switch (primitive.getSort()) {
            case Type.BOOLEAN -> "java/lang/Boolean";
            case Type.CHAR -> "java/lang/Character";
            case Type.BYTE -> "java/lang/Byte";
            case Type.SHORT -> "java/lang/Short";
            case Type.INT -> "java/lang/Integer";
            case Type.LONG -> "java/lang/Long";
            case Type.FLOAT -> "java/lang/Float";
            case Type.DOUBLE -> "java/lang/Double";
            default -> throw new IllegalArgumentException("no primitive type: " + primitive);
        };
    }
}
